/** What may stand at a place of a JSON text. */
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them.
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const blank = /[ \t\n\r]*/y

/**
 * Where a text stops being JSON. The engine's own parser does not always say, so this goes over a
 * text again that it has refused.
 */
export function jsonFlawPosition(text: string): number {
  const open: ('{' | '[')[] = []
  let at = skip(blank, text, 0)
  let expects: 'value' | 'key' | 'end' = 'value'
  /** Right after an opening bracket, it may be closed at once. */
  let mayClose = false
  for (;;) {
    const character = text[at]
    if (expects === 'end') {
      const inside = open.at(-1)
      if (inside === undefined || character === undefined) return at
      if (character === ',') {
        at = skip(blank, text, at + 1)
        expects = inside === '{' ? 'key' : 'value'
        mayClose = false
        continue
      }
      if (character !== closing(inside)) return at
      open.pop()
      at = skip(blank, text, at + 1)
      continue
    }
    if (mayClose && character === closing(open.at(-1)!)) {
      expects = 'end'
      continue
    }
    if (expects === 'key') {
      const colon = skip(blank, text, skip(string, text, at))
      if (text[at] !== '"' || text[colon] !== ':') return text[at] === '"' ? colon : at
      at = skip(blank, text, colon + 1)
      expects = 'value'
      mayClose = false
      continue
    }
    if (character === '{' || character === '[') {
      open.push(character)
      at = skip(blank, text, at + 1)
      expects = character === '{' ? 'key' : 'value'
      mayClose = true
      continue
    }
    const end = skip(character === '"' ? string : literal, text, at)
    if (end === at) return at
    at = skip(blank, text, end)
    expects = 'end'
  }
}

const closing = (bracket: '{' | '['): string => (bracket === '{' ? '}' : ']')

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
