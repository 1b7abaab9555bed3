/** One instruction of a Dockerfile, with continued lines joined. */
export interface Instruction {
  /** 1-based, where it begins. */
  readonly line: number
  readonly name: InstructionName
  readonly flags: ReadonlyMap<string, string>
  readonly text: string
}

export interface Stage {
  /** As `AS` names it; the last one mostly has none. */
  readonly name: string | undefined
  /** What it is built on, with variables as they stand in the file. */
  readonly base: string
  readonly instructions: readonly Instruction[]
}

export interface Dockerfile {
  /** Instructions before the first stage: arguments for `FROM`. */
  readonly globals: readonly Instruction[]
  readonly stages: readonly Stage[]
}

const names = [
  'ARG',
  'CMD',
  'COPY',
  'ENTRYPOINT',
  'ENV',
  'EXPOSE',
  'FROM',
  'HEALTHCHECK',
  'LABEL',
  'RUN',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
] as const
export type InstructionName = (typeof names)[number]

/** Throws at an instruction that it does not know: an instruction without replay is not tested. */
export function parseDockerfile(text: string): Dockerfile {
  const globals: Instruction[] = []
  const stages: { name: string | undefined; base: string; instructions: Instruction[] }[] = []
  for (const instruction of instructionsOf(text)) {
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') stages.push({ ...stageOf(instruction), instructions: [] })
    else if (stage !== undefined) stage.instructions.push(instruction)
    else if (instruction.name === 'ARG') globals.push(instruction)
    else throw misread(instruction.line, `${instruction.name} stands before the first FROM`)
  }
  if (stages.length === 0) throw misread(1, 'there is no FROM')
  return { globals, stages }
}

const misread = (line: number, why: string): Error => new Error(`Dockerfile, line ${line}: ${why}`)

function stageOf({ line, text, flags }: Instruction): Pick<Stage, 'name' | 'base'> {
  const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text) ?? []
  if (base === undefined || flags.size > 0) throw misread(line, `FROM is not understood: ${text}`)
  return { base, name }
}

function instructionsOf(text: string): Instruction[] {
  const instructions: Instruction[] = []
  let begun: { line: number; text: string } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    // Comments and empty lines may stand between continued lines as well.
    if (/^\s*(#|$)/.test(line)) continue
    const { text: before, line: start } = begun ?? { text: '', line: index + 1 }
    const whole = `${before}${line.replace(/\\\s*$/, '')}`
    begun = /\\\s*$/.test(line) ? { text: whole, line: start } : undefined
    if (begun === undefined) instructions.push(instructionOf(whole, start))
  }
  if (begun !== undefined) throw misread(begun.line, 'the last line is to be continued')
  return instructions
}

function instructionOf(whole: string, line: number): Instruction {
  const [, word = '', rest = ''] = /^\s*(\w+)\s+(.*)$/s.exec(whole) ?? []
  const name = names.find((each) => each === word)
  if (name === undefined) throw misread(line, `unknown instruction: ${whole.trim()}`)
  if (rest.includes('<<')) throw misread(line, 'here documents are not understood')
  const flags = new Map<string, string>()
  let text = rest.trim()
  for (;;) {
    const [found, flag, value] = /^--([a-z-]+)=(\S+)\s+/.exec(text) ?? []
    if (found === undefined) return { line, name, flags, text }
    flags.set(flag!, value!)
    text = text.slice(found.length)
  }
}

/** `["a", "b"]`; the other form would start a shell, which passes no signals on. */
export function execForm({ name, line, text }: Instruction): readonly string[] {
  try {
    const words: unknown = JSON.parse(text)
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words
  } catch {
    // Said below.
  }
  throw misread(line, `${name} must be a list such as ["a", "b"], got ${text}`)
}

/** `a=b c="d e"`, with variables that are known. */
export function assignments(
  { name, line, text }: Instruction,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const rest = text.replace(/([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)/g, (_, key, value) => {
    found[key] = expanded(value.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/g, '$1'), variables, line)
    return ''
  })
  if (rest.trim() !== '') throw misread(line, `${name} is not understood: ${rest.trim()}`)
  return found
}

export function expanded(
  text: string,
  variables: Readonly<Record<string, string>>,
  line: number,
): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => {
    const value = variables[braced ?? plain]
    if (value === undefined) throw misread(line, `${braced ?? plain} is not set: ${text}`)
    return value
  })
}
