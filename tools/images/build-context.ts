import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of no use to any image, large, and never walked through. The ignore file must say so too. */
const neverSent = ['.git', 'node_modules']

/** Paths of the files below a folder that its `.dockerignore` lets through. */
export function contextFiles(folder: string): string[] {
  const isIgnored = ignoredBy(readFileSync(join(folder, '.dockerignore'), 'utf8'))
  for (const name of neverSent) {
    if (!isIgnored(`${name}/any`)) throw new Error(`.dockerignore lets ${name} into images`)
  }
  return filesBelow(folder, '').filter((path) => !isIgnored(path))
}

function filesBelow(folder: string, within: string): string[] {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (neverSent.includes(entry.name)) return []
    return entry.isDirectory() ? filesBelow(folder, path) : [path]
  })
}

/** As Docker reads it: the last line that matches a path or a folder above it decides. */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => {
    const last = rules.findLast(({ pattern }) => pattern.test(path))
    return last !== undefined && !last.keeps
  }
}

function patternOf(glob: string): RegExp {
  const parts = glob.split('/').map((part) => {
    if (part === '**') return '(?:[^/]+/)*'
    const literal = part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    return `${literal.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}/`
  })
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}(?:/|$)`)
}
