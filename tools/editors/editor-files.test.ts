import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { editorFiles } from './editor-files.ts'

const place = (path: string): URL => new URL(`../../editors/${path}`, import.meta.url)

/** `npm run editors` writes them again after a change that is meant. */
if (process.env['KRON_REFRESH_EDITORS'] === '1') {
  for (const [path, text] of editorFiles) writeFileSync(place(path), text)
}

describe('the files for editors', () => {
  it.each([...editorFiles])('%s in the tree is what the code makes', (path, text) => {
    expect(readFileSync(place(path), 'utf8'), 'npm run editors').toBe(text)
  })

  it('have what the extension for VS Code points at', () => {
    const manifest = JSON.parse(readFileSync(place('vscode/package.json'), 'utf8')) as {
      contributes: {
        grammars: { scopeName: string; path: string }[]
        languages: { extensions: string[]; configuration: string }[]
      }
    }
    const [grammar] = manifest.contributes.grammars
    const [language] = manifest.contributes.languages
    const { scopeName } = JSON.parse(readFileSync(place(`vscode/${grammar!.path}`), 'utf8'))
    expect(grammar!.scopeName).toBe(scopeName)
    expect(language!.extensions).toEqual(['.krontab'])
    expect(JSON.parse(readFileSync(place(`vscode/${language!.configuration}`), 'utf8'))).toEqual(
      expect.objectContaining({ comments: { lineComment: '#' } }),
    )
  })
})
