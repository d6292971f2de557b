/**
 * The first of the encodings that an `Accept-Encoding` header takes (RFC 9110, 12.5.3), so name the smallest first. Without
 * a header, or with a strange one, none.
 */
export function chooseEncoding<Encoding extends string>(
  header: string | undefined,
  encodings: readonly Encoding[],
): Encoding | 'identity' {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').slice(0, headerUnitsMax).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  return encodings.find((name) => weightOf(name) > 0) ?? 'identity'
}

const headerUnitsMax = 500
