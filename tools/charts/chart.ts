import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { findHelm } from '../kube/index.ts'

const charts = fileURLToPath(new URL('../../deploy/helm/', import.meta.url))

/** Of an object that a chart makes, what all of them have. */
export interface ChartObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly [field: string]: unknown
}

/** A chart of `deploy/helm` in the hands of Helm. */
export class Chart {
  readonly #name: string
  readonly #helm: string | null

  constructor(name: string) {
    this.#name = name
    this.#helm = findHelm()
  }

  /** Whether there is no Helm here: the folder of KUBEBUILDER_ASSETS has one, or there is none. */
  get isUntestable(): boolean {
    return this.#helm === null
  }

  lint(): { readonly status: number | null; readonly output: string } {
    return this.#run('lint', '--strict', `${charts}${this.#name}`)
  }

  /** What it makes of some values, for a server of the oldest version that it takes. */
  rendered(values: readonly string[], namespace = 'kron-system', version = '1.30.0'): string {
    const sets = values.flatMap((value) => ['--set', value])
    const names = ['template', this.#name, `${charts}${this.#name}`, '--namespace', namespace]
    const { status, output } = this.#run(...names, '--kube-version', version, ...sets)
    if (status !== 0) throw new Error(output)
    return output
  }

  /** `install`, `upgrade` or `uninstall`, of a release with the name of the chart. */
  release(
    action: 'install' | 'upgrade' | 'uninstall',
    cluster: { readonly kubeconfig: string; readonly namespace: string },
    values: readonly string[] = [],
  ): { readonly status: number | null; readonly output: string } {
    const { kubeconfig, namespace } = cluster
    const source = action === 'uninstall' ? [] : [`${charts}${this.#name}`]
    const sets = values.flatMap((value) => ['--set', value])
    const where = ['--kubeconfig', kubeconfig, '--namespace', namespace]
    return this.#run(action, this.#name, ...source, ...where, ...sets)
  }

  objects(values: readonly string[]): ChartObject[] {
    return parseAllDocuments(this.rendered(values)).map((document) => document.toJS())
  }

  #run(...args: readonly string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(this.#helm!, args, { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }
}

export const kindsOf = (objects: readonly ChartObject[]): string[] =>
  objects.map(({ kind }) => kind).sort()

/** The one object of a kind, and of a name where there are several. */
export function find(objects: readonly ChartObject[], kind: string, name?: string): ChartObject {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  )
  if (found.length === 1) return found[0]!
  throw new Error(`${found.length} objects are a ${kind} ${name ?? ''}, expected one`)
}
