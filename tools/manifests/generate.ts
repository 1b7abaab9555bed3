import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { generatedFiles } from '../../packages/operator/dist/manifests/index.js'

/** Writes the manifests and the parts of the Helm chart that are generated from code. */
const root = new URL('../../', import.meta.url)
const { version } = JSON.parse(
  readFileSync(new URL('packages/operator/package.json', root), 'utf8'),
) as { version: string }

for (const [path, text] of generatedFiles(version)) {
  const file = new URL(`deploy/${path}`, root)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
  console.log(`deploy/${path}`)
}
