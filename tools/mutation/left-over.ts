/** What the mutants that survive in a slice are, and why no test is written for them. */
export const leftOver: Readonly<Record<string, string>> = {}
