/** Arrays as PostgreSQL reads them. The driver's own way is several times as slow. */
export function numbers(values: readonly (number | null)[]): string {
  let text = '{'
  for (let n = 0; n < values.length; n++) text += `${n === 0 ? '' : ','}${values[n] ?? 'NULL'}`
  return `${text}}`
}

const special = /["\\]/
const specials = /["\\]/g

export function texts(values: readonly (string | null)[]): string {
  let text = '{'
  for (let n = 0; n < values.length; n++) {
    if (n > 0) text += ','
    const value = values[n]
    if (value === null || value === undefined) text += 'NULL'
    else if (special.test(value)) text += `"${value.replace(specials, '\\$&')}"`
    else text += `"${value}"`
  }
  return `${text}}`
}

export function bytes(values: readonly (Uint8Array | null)[]): string {
  const quoted = values.map((value) =>
    value === null ? 'NULL' : `"\\\\x${Buffer.from(value).toString('hex')}"`,
  )
  return `{${quoted.join(',')}}`
}
