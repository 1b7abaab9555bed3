import { afterAll, describe, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'

const home = new KrondHome()
afterAll(() => home.remove())

const commands = ['start', 'stop', 'reload', 'status', 'run', 'audit']

describe('krond --help', () => {
  it('names every command and shows examples, also for each of them', async () => {
    const whole = await home.krond('--help')
    expect(whole).toMatchObject({ code: 0, stderr: '' })
    for (const command of commands) {
      expect(whole.stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'))
    }
    const texts = await Promise.all(commands.map((command) => home.krond(command, '--help')))
    for (const [index, { code, stdout, stderr }] of texts.entries()) {
      const command = commands[index]!
      expect([command, code, stderr]).toEqual([command, 0, ''])
      expect(stdout).toContain(`Usage: krond ${command}`)
      expect(stdout).toMatch(new RegExp(`^Examples:\n  (.* )?krond ${command}\\b`, 'm'))
      expect(stdout).toContain('--format <format>')
    }
  })

  it('has the versions', async () => {
    const { code, stdout } = await home.krond('--version')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^krond \d+\.\d+\.\d+.*tzdata 20\d\d[a-z]/)
  })
})

describe('krond with wrong arguments', () => {
  const cases: readonly (readonly [args: string[], message: RegExp])[] = [
    [['begin'], /unknown command "begin"/],
    [['strat'], /unknown command "strat".*start/],
    [['start', '--strikt'], /unknown option "--strikt".*--strict/],
    [['start', '--format', 'xml'], /--format must be text or json, got "xml"/],
    [['start', '--grace', 'long'], /--grace/],
    [['start', '--max-running', '0'], /--max-running must be a whole number/],
    [['start', '--log-level', 'loud'], /--log-level must be debug/],
    [['start', '--file', 'missing.krontab', '--state', 'state'], /missing\.krontab/],
    [['stop', '--timeout', 'soon'], /--timeout/],
    [['status', '--format', 'xml'], /--format must be text or json/],
    [['run'], /missing required argument "job"/],
    [['audit'], /missing required argument "log"/],
    [['audit', 'missing.jsonl'], /missing\.jsonl/],
  ]

  it('ends with 1 and says what is wrong', async () => {
    const results = await Promise.all(cases.map(([args]) => home.krond(...args)))
    for (const [index, { code, stdout, stderr }] of results.entries()) {
      const [args, message] = cases[index]!
      const said = args.includes('missing.krontab') ? stdout : stderr
      expect(said, args.join(' ')).toMatch(message)
      expect(code, `${args.join(' ')}: ${said}`).toBe(1)
      expect(said).not.toMatch(/ {4}at /)
    }
    const hints = results.slice(0, 3).map(({ stderr }) => stderr.split('\n')[1])
    expect(hints).toEqual([
      'hint: krond --help shows how it is used',
      'hint: krond --help shows how it is used',
      'hint: krond start --help shows how it is used',
    ])
  })

  it('shows its help when there are none', async () => {
    const { code, stdout } = await home.krond()
    expect(code).toBe(1)
    expect(stdout).toContain('Usage: krond')
  })
})
