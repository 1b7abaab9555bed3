const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of `Warning` headers: `299 - "text"`, several of them in one line or in several. */
export function warningsOf(header: string | readonly string[] | undefined): string[] {
  const lines = [header ?? []].flat()
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map(([, text]) => text!.replaceAll(/\\(.)/g, '$1')),
  )
}
