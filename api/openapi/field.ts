/** What a field or a parameter is. The same word means the same everywhere. */
export interface Field {
  description: string
  /** Where the type alone does not make one. */
  example?: unknown
}
