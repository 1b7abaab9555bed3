import { installedProgram } from './registry-program.ts'

const platform = `${process.platform}-${process.arch}`

const buns: Readonly<Record<string, string>> = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
}
const denos: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
}

const absent = { missing: `no package for ${platform}` }

export function installedBun(): { path: string } | { missing: string } {
  const name = buns[platform]
  return name === undefined
    ? absent
    : installedProgram({ package: name, version: '1.4.4', path: 'bin/bun' })
}

export function installedDeno(): { path: string } | { missing: string } {
  const name = denos[platform]
  return name === undefined
    ? absent
    : installedProgram({ package: name, version: '2.9.6', path: 'deno' })
}
