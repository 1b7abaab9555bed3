import { stringify } from 'yaml'

/** Objects as the documents of one YAML file, under a comment. */
export function manifestYaml(comment: string, ...documents: readonly unknown[]): string {
  const head = `${comment}\n${origin}`.replace(/^/gm, '# ')
  return `${head}\n${documents.map(documentYaml).join('---\n')}`
}

const origin = 'Made by `npm run manifests` from packages/operator/src; changes here are lost.'

function documentYaml(document: unknown): string {
  return stringify(document, {
    // Anchors would be shorter, but no one expects them in a manifest.
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
    lineWidth: 0,
  })
}
