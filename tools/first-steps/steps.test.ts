import { describe, expect, it } from 'vitest'
import { stepsOf } from './steps.ts'

const document = [
  '# Title',
  '```sh',
  'never done',
  '```',
  '## Quick start',
  '```sh stays',
  'kron serve',
  '```',
  'It says:',
  '```text',
  'kron serves',
  '```',
  '### Go on',
  '```console',
  '$ kron jobs \\',
  '  --all',
  'none',
  '$ echo a',
  'a',
  '```',
  '```sh needs=cluster',
  'kubectl get pods',
  '# a comment is no heading',
  '```',
  '## Reference',
  '```sh',
  'never done either',
  '```',
]

describe('the steps of a document', () => {
  it('are those of the named sections, with what each prints', () => {
    const steps = stepsOf(document.join('\n'), ['Quick start'])
    expect(steps).toEqual([
      {
        line: 7,
        script: 'kron serve',
        stays: true,
        briefly: false,
        needs: null,
        printed: ['kron serves'],
      },
      {
        line: 15,
        script: 'kron jobs --all',
        stays: false,
        briefly: false,
        needs: null,
        printed: ['none'],
      },
      { line: 18, script: 'echo a', stays: false, briefly: false, needs: null, printed: ['a'] },
      {
        line: 22,
        script: 'kubectl get pods\n# a comment is no heading',
        stays: false,
        briefly: false,
        needs: 'cluster',
        printed: null,
      },
    ])
  })

  it('are all of them without sections', () => {
    expect(stepsOf(document.join('\n')).map(({ script }) => script)).toContain('never done either')
  })

  it('can not be of a section that is not there', () => {
    expect(() => stepsOf(document.join('\n'), ['Quick start', 'Slow start'])).toThrow(
      'there is no section "Slow start"',
    )
  })

  it('take no output that stands under another heading', () => {
    const text = ['```sh', 'a', '```', '## Next', '```text', 'b', '```'].join('\n')
    expect(stepsOf(text)).toMatchObject([{ script: 'a', printed: null }])
  })
})
