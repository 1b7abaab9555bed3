/** A word in single quotes, for any shell that is like the Bourne shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What may be part of the name of a function in every shell. */
export const functionName = (program: string): string => `_${program.replaceAll(/\W/g, '_')}`
