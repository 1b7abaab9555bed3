import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleProgram } from '../../testing/sample-program.js'
import { manPage, manualFiles } from './index.js'
import { bold, roffArgument, roffLine, roffText } from './roff.js'

const options = { section: 8, version: '1.2.3' } as const
const hasGroff = spawnSync('groff', ['--version']).status === 0
if (!hasGroff) console.warn('groff is not on this machine: pages are not rendered')

function page(name?: string): string {
  const program = sampleProgram()
  const command = program.commands.find((each) => each.name() === name) ?? program
  return manPage(command, { ...options, files: [['/etc/sample', 'its settings']] })
}

/** The lines of one section. */
function sectionOf(text: string, heading: string): string[] {
  const lines = text.split('\n')
  const start = lines.indexOf(`.SH ${heading}`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('.SH '))
  return start < 0 ? [] : lines.slice(start + 1, length < 0 ? -1 : start + 1 + length)
}

function rendered(source: string): { text: string; warnings: string } {
  const args = ['-man', '-Tutf8', '-Kutf8', '-ww', '-P-cbou', '-rLL=200n', '-rHY=0']
  const { stdout, stderr } = spawnSync('groff', args, { input: source, encoding: 'utf8' })
  return { text: stdout, warnings: stderr }
}

describe('escaping for troff', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a\\b', 'a\\(rsb'],
    ['--no-color', '\\-\\-no\\-color'],
    [`'it' \`is\` ^~`, '\\(aqit\\(aq \\(gais\\(ga \\(ha\\(ti'],
    ['two\nlines\there', 'two lines here'],
    ['Zürich…', 'Z\\[u00FC]rich\\[u2026]'],
    ['\u{1f600}', '\\[u1F600]'],
  ])('writes %j as %j', (text, expected) => {
    expect(roffText(text)).toBe(expected)
  })

  it('keeps a line from being a request', () => {
    expect(roffLine('.so /etc/passwd')).toBe('\\&.so /etc/passwd')
    expect(roffLine("'so x")).toBe('\\(aqso x')
    expect(bold('.x')).toBe('\\fB.x\\fR')
    expect(roffArgument('a "b" -c')).toBe('"a \\(dqb\\(dq \\-c"')
  })

  it.skipIf(!hasGroff)('gives back every text when it is rendered', () => {
    const printable = fc.string({ unit: fc.constantFrom(...`.'"\\-\`^~ab %{}[]<>#$*@!|`) })
    const texts = fc
      .sample(printable, { numRuns: 500, seed: 7 })
      .map((text) => text.trim())
      .filter((text) => text !== '')
    const lines = texts.flatMap((text) => [roffLine(text), bold(text)])
    const source = ['.TH X 1 "" "" ""', '.SH TEXTS', '.nf', ...lines, '.fi', ''].join('\n')
    const { text, warnings } = rendered(source)
    const shown = text.split('\n').map((line) => line.trim())
    const expected = texts.flatMap((each) => [each, each])
    const start = shown.indexOf('TEXTS') + 1
    expect(warnings).toBe('')
    expect(shown.slice(start, start + expected.length)).toEqual(expected)
  })
})

describe('the page of a program', () => {
  it('has its sections in the order in which people look for them', () => {
    const headings = [...page().matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'OPTIONS',
      'COMMANDS',
      'EXIT STATUS',
      'FILES',
      'SEE ALSO',
    ])
  })

  it('begins with a title that has no date', () => {
    expect(page().split('\n')[0]).toBe('.TH "SAMPLE" 8 "" "sample 1.2.3" "Kron"')
    expect(sectionOf(page(), 'NAME')).toEqual(['sample \\- shows what a program can have'])
  })

  it('tells what the help text tells, commands apart, exit codes elsewhere', () => {
    expect(sectionOf(page(), 'DESCRIPTION')).toEqual([
      'Shows what a program can have.',
      '.PP',
      'A path may be anything, even:',
      '.RS 4',
      '.EX',
      '\\&.hidden\\(rsfile',
      '.EE',
      '.RE',
      'and this is told after it.',
    ])
  })

  it('lists its commands, except those that are hidden', () => {
    const commands = sectionOf(page(), 'COMMANDS')
    expect(commands.slice(0, 3)).toEqual(['.TP', '\\fBsample\\-show\\fR(8)', 'Show things.'])
    expect(page()).not.toContain('secret')
    expect(sectionOf(page(), 'SEE ALSO')).toEqual([
      '\\fBsample\\-show\\fR(8), \\fBsample\\-copy\\fR(8), \\fBsample\\-completion\\fR(8)',
    ])
  })

  it('explains every exit code', () => {
    const codes = sectionOf(page(), 'EXIT STATUS').filter((line) => line.startsWith('\\fB'))
    expect(codes).toEqual([0, 1, 2, 3, 4].map((code) => `\\fB${code}\\fR`))
  })

  it('lists its files', () => {
    expect(sectionOf(page(), 'FILES')).toEqual(['.TP', '\\fI/etc/sample\\fR', 'its settings'])
  })
})

describe('the page of a subcommand', () => {
  it('has the name of the program in front', () => {
    expect(page('show')).toContain('.TH "SAMPLE\\-SHOW" 8 "" "sample 1.2.3" "Kron"')
    expect(sectionOf(page('show'), 'NAME')).toEqual(['sample\\-show \\- show things'])
    expect(sectionOf(page('show'), 'SYNOPSIS')).toEqual([
      '\\fBsample show\\fR [\\fIoptions\\fR] [\\fIpaths\\fR...]',
    ])
    expect(sectionOf(page('show'), 'SEE ALSO')).toEqual(['\\fBsample\\fR(8)'])
  })

  it('has all options with what they mean', () => {
    const lines = sectionOf(page('show'), 'OPTIONS')
    expect(lines.slice(0, 6)).toEqual([
      '.TP',
      '\\fB\\-f\\fR, \\fB\\-\\-file\\fR <\\fIpath\\fR>',
      'read this; repeatable',
      '.TP',
      '\\fB\\-\\-format\\fR <\\fIformat\\fR>',
      'how (choices: "text", "json", default: "text")',
    ])
    expect(lines).toContain('\\fB\\-\\-no\\-color\\fR')
    expect(lines).toContain('\\fB\\-h\\fR, \\fB\\-\\-help\\fR')
  })

  it('has its arguments, and escapes what they say', () => {
    expect(sectionOf(page('copy'), 'ARGUMENTS')).toEqual([
      '.TP',
      '\\fIwhat\\fR',
      'a name',
      '.TP',
      '\\fIto\\-file\\fR',
      '\\&.dot is fine',
    ])
  })

  it('has its examples, each with its meaning', () => {
    expect(sectionOf(page('show'), 'EXAMPLES')).toEqual([
      ...['.PP', '.EX', '\\fBsample show\\fR', '.EE', '.RS 4', 'all of it', '.RE'],
      ...['.PP', '.EX', '\\fBsample show "two  spaces" \\(aqa  b\\(aq \\-n 3\\fR', '.EE'],
      ...['.RS 4', 'with   care', '.RE'],
      ...['.PP', '.EX', '\\fBsample show \\-\\-out \\(ti/it\\(aqs.svg\\fR', '.EE'],
    ])
    expect(page('copy')).not.toContain('EXAMPLES')
  })

  it('does not change the output of the program that it reads', () => {
    const written: string[] = []
    const program = sampleProgram((text) => void written.push(text))
    manPage(program, options)
    expect(written).toEqual([])
    program.outputHelp()
    expect(written.join('')).toContain('Usage: sample')
  })

  it.skipIf(!hasGroff).each(['show', 'copy', 'completion', undefined])(
    'renders without a warning: %s',
    (name) => {
      const { text, warnings } = rendered(page(name))
      expect(warnings).toBe('')
      expect(text).toContain('SYNOPSIS')
      if (name === 'show') expect(text).toContain(`sample show "two  spaces" 'a  b' -n 3`)
    },
  )
})

describe('the files of a manual', () => {
  const program = { command: sampleProgram(), section: 1, version: '1.2.3' } as const
  const other = { ...program, command: sampleProgram().name('other'), section: 8 } as const

  it('are a page for each command and a script for each shell', () => {
    expect([...manualFiles([program]).keys()]).toEqual([
      'man/sample.1',
      'man/sample-show.1',
      'man/sample-copy.1',
      'man/sample-completion.1',
      'completions/sample.bash',
      'completions/sample.zsh',
      'completions/sample.fish',
    ])
  })

  it('refer to the other programs', () => {
    const files = manualFiles([program, other])
    expect(files.get('man/sample-show.1')).toContain('\\fBsample\\fR(1), \\fBother\\fR(8)\n')
    expect(files.get('man/other.8')).toContain(', \\fBsample\\fR(1)\n')
  })

  it('are the same each time', () => {
    expect(manualFiles([program])).toEqual(manualFiles([{ ...program, command: sampleProgram() }]))
  })
})
