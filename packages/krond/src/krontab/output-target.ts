/** Where what a job writes goes. */
export type OutputTarget =
  | { readonly kind: 'inherit' }
  | { readonly kind: 'discard' }
  | { readonly kind: 'syslog' }
  | { readonly kind: 'file'; readonly path: string }

const filePrefix = 'file:'

/** null when the text is none of `inherit`, `discard`, `syslog` and `file:<absolute path>`. */
export function outputTargetOf(text: string): OutputTarget | null {
  if (text === 'inherit' || text === 'discard' || text === 'syslog') return { kind: text }
  if (!text.startsWith(`${filePrefix}/`)) return null
  return { kind: 'file', path: text.slice(filePrefix.length) }
}
