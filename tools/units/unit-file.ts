/** Settings of a systemd unit by section and name, such as `Service.Type`, with all their values. */
export type UnitSettings = ReadonlyMap<string, readonly string[]>

/** Throws at a line that is neither a section, a setting nor a comment. */
export function unitSettings(text: string): UnitSettings {
  const settings = new Map<string, string[]>()
  let section: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    if (heading !== undefined) {
      section = heading
      continue
    }
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined || section === undefined) {
      throw new Error(`line ${index + 1} of the unit is no setting of a section: ${line}`)
    }
    const full = `${section}.${name}`
    settings.set(full, [...(settings.get(full) ?? []), value!])
  }
  return settings
}
