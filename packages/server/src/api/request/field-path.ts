const longestName = 100
const longestPath = 400

/** Deep in hostile input a whole path would be longer than the input. */
export function fieldWithin(field: string, name: PropertyKey): string {
  const shown = String(name).slice(0, longestName)
  if (field === '' || shown === '') return field + shown
  return `${field}.${shown}`.slice(0, longestPath)
}

/** The name of a field by the way to it; `whole` if it has none. */
export function fieldPath(path: readonly PropertyKey[], whole: string): string {
  return path.reduce(fieldWithin, '') || whole
}
