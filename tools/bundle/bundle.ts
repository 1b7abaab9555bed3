/** Bundles what programs load, and the engine without zone data, after the compiler. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, type RolldownOptions, rolldown } from 'rolldown'
import { bundledPackages } from './bundled-package.ts'
import { shipDeclarations } from './declarations.ts'
import { noticesText } from './notices.ts'
import { type ProgramBundle, programBundles } from './program-bundles.ts'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))

/** In the checkout a program uses the library itself; once installed, our copy of it. */
const installedSqlite = {
  name: 'installed-sqlite',
  resolveId: (id: string) =>
    id === 'better-sqlite3' ? { id: '@kron/sqlite', external: true } : null,
}

/** Generated classes for the whole API of Kubernetes, of which what reads kubeconfigs uses a handful. */
const withoutEffects = /\/@kubernetes\/client-node\/dist\/gen\//

/** The library without its sources: npm would compile them. */
function copySqlite(): void {
  const library = fileURLToPath(new URL('../../node_modules/better-sqlite3', import.meta.url))
  const dist = `${packages}/sqlite/dist`
  rmSync(dist, { recursive: true, force: true })
  for (const part of ['lib', 'prebuilds', 'LICENSE']) {
    cpSync(`${library}/${part}`, `${dist}/${part}`, { recursive: true })
  }
}

async function bundleProgram(program: ProgramBundle): Promise<void> {
  const dist = `${packages}/${program.package}/dist`
  const folder = `${dist}/bundle`
  const { entries, library = {} } = program
  const input = Object.fromEntries(
    Object.entries({ ...entries, ...library }).map(([name, file]) => [name, `${dist}/${file}`]),
  )
  // Parts have names of their contents, so those of an earlier build would stay.
  rmSync(folder, { recursive: true, force: true })
  const options: RolldownOptions = {
    input,
    external: [...program.native],
    plugins: [installedSqlite],
    treeshake: { moduleSideEffects: [{ test: withoutEffects, sideEffects: false }] },
  }
  const chunks = await write(options, folder)
  shipDeclarations(dist, Object.values(library), `${folder}/types`)
  const libraries = bundledPackages(chunks.flatMap(({ moduleIds }) => moduleIds))
  writeFileSync(`${folder}/THIRD-PARTY-NOTICES.txt`, noticesText(libraries))
  // Not shipped: the input of a release's bill of materials.
  const components = libraries.map(({ name, version, license }) => ({ name, version, license }))
  writeFileSync(`${dist}/components.json`, `${JSON.stringify(components, null, 2)}\n`)
}

async function bundleZoneless(): Promise<void> {
  const dist = `${packages}/core/dist`
  const withoutData = {
    name: 'without-zone-data',
    resolveId: (id: string) =>
      id.endsWith('/generated/tzdata.js') ? `${dist}/zone/no-zones.js` : null,
  }
  // Replaces the compiler's output for src/zoneless.ts, which includes the data.
  await write({ input: { zoneless: `${dist}/index.js` }, plugins: [withoutData] }, dist)
}

async function write(options: RolldownOptions, folder: string): Promise<OutputChunk[]> {
  const bundle = await rolldown({ platform: 'node', ...options })
  const { output } = await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  return output.filter((each) => each.type === 'chunk')
}

copySqlite()
await bundleZoneless()
for (const program of programBundles) await bundleProgram(program)
