import { createHash } from 'node:crypto'
import type { Tarball } from './tarball.ts'

/** A library whose code is in a package, or is installed with it. */
export interface Component {
  readonly name: string
  readonly version: string
  readonly license: string
}

/**
 * The contents of a package, in CycloneDX: libraries that were bundled into it, and what is
 * installed beside it. Without time and random number, so that the same tarball gives the same bill.
 */
export function billOfMaterials(
  { manifest, files }: Tarball,
  bundled: readonly Component[],
  installed: readonly Component[],
): object {
  const self = component({ ...manifest, license: String(manifest['license']) })
  const parts = [...bundled, ...installed].map(component)
  const digest = createHash('sha256')
  for (const [path, contents] of [...files].sort()) digest.update(`${path}\0`).update(contents)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest.digest())}`,
    version: 1,
    metadata: {
      component: { ...self, type: manifest.bin === undefined ? 'library' : 'application' },
    },
    components: parts,
    dependencies: [
      { ref: self['bom-ref'], dependsOn: parts.map((part) => part['bom-ref']) },
      ...parts.map((part) => ({ ref: part['bom-ref'] })),
    ],
  }
}

function component({ name, version, license }: Component) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [last, group] = name.split('/').reverse()
  const expression = / (AND|OR) /.test(license)
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: last!,
    version,
    licenses: [expression ? { expression: license } : { license: { id: license } }],
    purl,
  }
}

/** A UUID of version 8, which holds what its maker puts in. */
function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
