import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'

/** The search path without what `npm run` put before it: the programs of the machine. */
export function machinePath(): string {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.filter((folder) => !/node_modules|node-gyp-bin/.test(folder)).join(':')
}

/** An environment with an empty home, and of ours only what leads to the registry. */
export function newcomerEnv(home: string, path: string): Record<string, string> {
  mkdirSync(home, { recursive: true })
  const passed = ['LANG', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']
  const kept = [...passed, ...passed.map((name) => name.toLowerCase())].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    PATH: path,
    TERM: 'xterm',
    USER: 'newcomer',
    npm_config_globalconfig: npmSetting('globalconfig'),
  }
}

/** A setting of the machine's own npm, whatever Node runs it: certificates, the registry. */
function npmSetting(name: string): string {
  const env = { PATH: machinePath(), HOME: process.env['HOME'] ?? '/' }
  return execFileSync('npm', ['config', 'get', name, '--loglevel=error'], {
    env,
    cwd: '/',
    encoding: 'utf8',
  }).trim()
}

/** A Node of its own, with its own folder for global packages. Gives the search path with it. */
export function ownNode(folder: string): string {
  mkdirSync(`${folder}/bin`, { recursive: true })
  copyFileSync(process.execPath, `${folder}/bin/node`)
  chmodSync(`${folder}/bin/node`, 0o755)
  return `${folder}/bin:${machinePath()}`
}
