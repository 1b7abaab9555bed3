/**
 * Names, messages and bodies come from other people and their servers: control characters in them
 * could drive the terminal they are shown on.
 */
export function clean(text: string): string {
  return text
    .replace(/\r?\n/g, ' ')
    .replace(/\p{Control}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** The same for a text of several lines. */
export function cleanLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => clean(line.replaceAll('\t', '  ')))
}
