import { writeFileSync } from 'node:fs'
import { command } from '../command.ts'
import { measure } from './measure.ts'
import { helpText, type Options, readOptions } from './options.ts'
import { render } from './report/document.ts'
import { picture } from './report/picture.ts'

const say = (text: string): void => void process.stderr.write(`${text}\n`)

await command({
  helpText,
  readOptions,
  async run(options: Options) {
    const results = await measure(options, say)
    if (options.writeReadme) {
      writeFileSync(new URL('delay-by-calls.svg', import.meta.url), picture(results.pareto))
    }
    return results
  },
  render,
  readme: new URL('README.md', import.meta.url),
})
