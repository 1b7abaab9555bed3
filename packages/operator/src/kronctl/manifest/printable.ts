/** Text of a file as a terminal may see it: escapes in it could drive the terminal. */
export const printable = (text: unknown): string => String(text).replaceAll(/\p{Cc}/gu, '\ufffd')
