import type { Command, Help, Option } from 'commander'
import { type ExitMeanings, exitCodes, exitMeanings } from '../program/exit-code.js'
import { lineage, pageName, subcommandsOf, summaryOf } from './command-outline.js'
import { type Example, type HelpSections, helpSections } from './help-sections.js'
import { bold, italic, roffArgument, roffLine, roffText } from './roff.js'

/** 1: for everybody. 8: for those who run the machine. */
export type ManualSection = 1 | 8

export interface ManPageOptions {
  readonly section: ManualSection
  readonly version: string
  readonly files?: readonly ManualEntry[]
  /** Where an exit code means something more definite. */
  readonly exits?: ExitMeanings
  /** Pages of other programs, such as `krond(8)`. */
  readonly seeAlso?: readonly string[]
}

/** A thing that a page names, and what it is. */
export type ManualEntry = readonly [term: string, meaning: string]

/** The manual page of a program or of one of its subcommands. The same input, the same page. */
export function manPage(command: Command, options: ManPageOptions): string {
  const help = command.createHelp()
  const sections = helpSections(command)
  const name = pageName(command)
  const program = lineage(command)[0]!.name()
  const lines = [
    // The date is left out, or the page would not be the same tomorrow.
    `.TH ${roffArgument(name.toUpperCase())} ${options.section} "" ${roffArgument(
      `${program} ${options.version}`,
    )} "Kron"`,
    // A command or path that is broken with a hyphen can't be copied. The register is for groff,
    // whose headings would turn hyphens on again.
    '.nr HY 0',
    '.nh',
    '.ad l',
    '.SH NAME',
    `${roffLine(name)} \\- ${roffText(asPhrase(summaryOf(command)))}`,
    '.SH SYNOPSIS',
    synopsis(command, help),
    '.SH DESCRIPTION',
    roffLine(asSentence(command.description())),
    ...sections.paragraphs.flatMap(paragraph),
    ...section('ARGUMENTS', command.registeredArguments, (argument) => [
      italic(argument.name()),
      help.argumentDescription(argument),
    ]),
    ...section('OPTIONS', help.visibleOptions(command), (option) => [
      flags(option),
      help.optionDescription(option),
    ]),
    ...section('COMMANDS', subcommandsOf(command), (each) => [
      reference(pageName(each), options.section),
      asSentence(summaryOf(each)),
    ]),
    ...exitStatus(options.exits),
    ...section('FILES', options.files ?? [], ([path, meaning]) => [italic(path), meaning]),
    ...examples(sections),
    ...seeAlso(command, options),
  ]
  return `${lines.join('\n')}\n`
}

/** As the line of NAME wants it, for whatis: no capital, no full stop. */
function asPhrase(text: string): string {
  const phrase = text.replace(/\.$/, '')
  return /^\p{Lu}\p{Ll}/u.test(phrase) ? phrase[0]!.toLowerCase() + phrase.slice(1) : phrase
}

const asSentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

function synopsis(command: Command, help: Help): string {
  const name = lineage(command)
    .map((each) => each.name())
    .join(' ')
  return `${bold(name)}${placeholders(help.commandUsage(command).slice(name.length))}`
}

/** `<file>` and `[options]`, with the names in italics. */
function placeholders(text: string): string {
  return text
    .split(/([<[][^<>[\]]+[>\]])/)
    .map((part, index) => {
      if (index % 2 === 0) return roffText(part)
      const word = part.slice(1, -1).replace(/\.\.\.$/, '')
      return roffText(part[0]!) + italic(word) + roffText(part.slice(1 + word.length))
    })
    .join('')
}

function flags(option: Option): string {
  return option.flags
    .split(/(--?[\w-]+)/)
    .map((part, index) => (index % 2 === 1 ? bold(part) : placeholders(part)))
    .join('')
}

/** A section of entries, if there are any. The term is troff already, the meaning is not. */
function section<T>(
  heading: string,
  items: readonly T[],
  entry: (item: T) => readonly [term: string, meaning: string],
): string[] {
  if (items.length === 0) return []
  const entries = items.map(entry)
  return [`.SH ${heading}`, ...entries.flatMap(([term, text]) => tagged(term, text))]
}

function tagged(term: string, meaning: string): string[] {
  return ['.TP', term, ...(meaning === '' ? [] : [roffLine(meaning)])]
}

function exitStatus(exits: ExitMeanings = {}): string[] {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  return section('EXIT STATUS', names, (name) => [
    bold(String(exitCodes[name])),
    exits[name] ?? exitMeanings[name],
  ])
}

/** Indented lines are commands, and stay lines. */
function paragraph(lines: readonly string[]): string[] {
  const isCommand = (line: string | undefined): boolean => line !== undefined && /^\s/.test(line)
  return [
    '.PP',
    ...lines.flatMap((line, index) => [
      ...(isCommand(line) && !isCommand(lines[index - 1]) ? ['.RS 4', '.EX'] : []),
      roffLine(line.trim()),
      ...(isCommand(line) && !isCommand(lines[index + 1]) ? ['.EE', '.RE'] : []),
    ]),
  ]
}

function examples({ examples }: HelpSections): string[] {
  if (examples.length === 0) return []
  return ['.SH EXAMPLES', ...examples.flatMap(example)]
}

function example({ command, meaning }: Example): string[] {
  const below = meaning === null ? [] : ['.RS 4', roffLine(meaning), '.RE']
  return ['.PP', '.EX', bold(command), '.EE', ...below]
}

const reference = (page: string, section: number): string =>
  `${bold(page)}(${roffText(String(section))})`

function seeAlso(command: Command, { section, seeAlso = [] }: ManPageOptions): string[] {
  const around = command.parent === null ? subcommandsOf(command) : [command.parent]
  const pages = around.map((each) => reference(pageName(each), section))
  const others = seeAlso.map((page) => {
    const match = /^(.+)\((\d)\)$/.exec(page)
    return match === null ? roffText(page) : reference(match[1]!, Number(match[2]))
  })
  const all = [...pages, ...others]
  return all.length === 0 ? [] : ['.SH SEE ALSO', all.join(', ')]
}
