export declare const sources: {
  readonly start: string
  readonly api: string
  readonly manage: string
  readonly worker: string
  readonly 'check-stock': string
  readonly 'rewrap-keys': string
  readonly 'verify-audit': string
  readonly archive: string
  readonly simulate: string
  readonly 'rng-export': string
  readonly 'rng-test': string
}
export type Program = keyof typeof sources
export declare function findProgram(name: Program): Promise<string>
