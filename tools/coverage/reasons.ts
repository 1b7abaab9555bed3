/** Why few lines of a folder are reached, for those where that is so. */
export const reasons: Readonly<Record<string, string>> = {}
