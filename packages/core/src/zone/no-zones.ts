/**
 * In the place of the generated data where the engine is built without it: `@kron/core/zoneless`.
 * The names are those of the generated file.
 */
export const tzdataVersion: string = 'none'
export const zoneLines = 'Etc/UTC|0|0|'
export const linkLines = ['UTC', 'UCT', 'Universal', 'Zulu', 'Etc/UCT', 'Etc/Universal', 'Etc/Zulu']
  .map((alias) => `${alias}|Etc/UTC`)
  .join('\n')
