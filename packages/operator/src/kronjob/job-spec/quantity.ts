const sign = '[+-]?'
const digits = '([0-9]+(\\.[0-9]*)?|\\.[0-9]+)'
const units = '([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?'
const quantity = new RegExp(`^${sign}${digits}${units}$`)

/** As Kubernetes writes amounts: 500m, 1.5, 2Gi. A number is one as well. */
export const isQuantity = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && quantity.test(value))

/** What was probably meant: units of other programs, and other cases. */
export function nearQuantity(text: string): string | null {
  const [, amount, unit] = /^([0-9.]+) *([a-zA-Z]+)$/.exec(text) ?? []
  const first = unit?.charAt(0)
  if (first === undefined || !/^[kmgtpe]i?b?(ytes?)?$/i.test(unit!)) return null
  const binary = `${amount}${first.toUpperCase()}i`
  const decimal = `${amount}${first.toLowerCase() === 'k' ? 'k' : first.toUpperCase()}`
  return /^.i/i.test(unit!) ? binary : `${binary} or ${decimal}`
}
