/**
 * Bundles what the commands of krond load, after the compiler. They are made of hundreds of small
 * files, and to find and load each would take longer than most commands do.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../../packages/krond/dist', import.meta.url))
const folder = `${dist}/bundle`

const bundle = await rolldown({
  input: {
    krond: `${dist}/cli/krond-program.js`,
    krontab: `${dist}/cli/program.js`,
    host: `${dist}/cli/process-host.js`,
  },
  platform: 'node',
  external: ['commander', 'koffi'],
})
// Parts have names of their contents, so those of an earlier build would stay.
rmSync(folder, { recursive: true, force: true })
await bundle.write({ dir: folder, format: 'esm' })
await bundle.close()
