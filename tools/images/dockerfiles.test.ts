import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { execForm, expanded, type InstructionName, parseDockerfile } from './dockerfile.ts'
import { understood } from './serve-call.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string) => readFileSync(`${root}/${path}`, 'utf8')

describe.each([
  ['kron-server', 'server', 'kron'],
  ['kron-operator', 'operator', 'kron-operator'],
])('the Dockerfile of %s', (name, folder, program) => {
  const text = textOf(`deploy/docker/${name}.Dockerfile`)
  const { globals, stages } = parseDockerfile(text)
  const last = stages.at(-1)!.instructions
  const textsOf = (instruction: InstructionName) =>
    last.filter((each) => each.name === instruction).map((each) => each.text)
  const manifest = JSON.parse(textOf(`packages/${folder}/package.json`))

  it('lets the builder choose the base of all stages, by digest too', () => {
    expect(globals.map((each) => each.text)).toEqual(['NODE_IMAGE=node:24-slim'])
    const digest = `node@sha256:${'a'.repeat(64)}`
    expect(stages.map(({ base }) => expanded(base, { NODE_IMAGE: digest }, 0))).toEqual([
      digest,
      digest,
      digest,
    ])
    const [major] = /\d+/.exec(manifest.engines.node)!
    expect(24).toBeGreaterThanOrEqual(Number(major))
  })

  it('leaves what built it behind', () => {
    expect(stages.map((stage) => stage.name)).toEqual(['build', 'install', undefined])
    expect(textsOf('RUN')).toEqual([])
    const copied = last.filter((each) => each.name === 'COPY').map(({ flags }) => flags.get('from'))
    expect(new Set(copied)).toEqual(new Set(['install']))
  })

  it('runs as the user that the chart names, and not as root', () => {
    const { podSecurityContext } = parse(textOf(`deploy/helm/${name}/values.yaml`))
    const { runAsUser, runAsGroup } = podSecurityContext
    expect(textsOf('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
    const names = last.map((each) => each.name)
    expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'))
  })

  it('starts a program of the package, without a shell, so that signals reach it', () => {
    expect(textsOf('ENTRYPOINT')).toEqual([JSON.stringify([program])])
    expect(manifest.bin).toHaveProperty(program)
    expect(textsOf('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  it('has the labels of the OCI, and takes version and revision from the builder', () => {
    const [labels] = textsOf('LABEL')
    for (const label of [
      `title="${name}"`,
      'description=',
      `licenses="${manifest.license}"`,
      `source="${/https:.*(?=\.git)/.exec(manifest.repository.url)}"`,
      'version="$VERSION"',
      'revision="$REVISION"',
    ]) {
      expect(labels).toContain(`org.opencontainers.image.${label}`)
    }
  })

  it('takes no secrets, neither as arguments nor as files', () => {
    expect(text).not.toMatch(/token|password|secret|\.env\b|kubeconfig|id_rsa/i)
    const args = stages.flatMap(({ instructions }) =>
      instructions.filter((each) => each.name === 'ARG').map((each) => each.text),
    )
    expect(args).toEqual(['VERSION=', 'REVISION='])
  })
})

describe('the image of the server', () => {
  const { stages } = parseDockerfile(textOf('deploy/docker/kron-server.Dockerfile'))
  const find = (name: InstructionName) =>
    stages.at(-1)!.instructions.find((instruction) => instruction.name === name)!

  it('serves at the port that it exposes, from anywhere, with its data in its volume', () => {
    const { options } = understood({ words: execForm(find('CMD')), env: {} })
    expect(options).toMatchObject({
      host: '0.0.0.0',
      port: Number(find('EXPOSE').text),
      folder: find('VOLUME').text,
    })
  })
})
