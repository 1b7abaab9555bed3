import { writeFileSync } from 'node:fs'
import { pictures } from './pictures.ts'

/** Draws the pictures of the documentation again. */
for (const [path, text] of pictures) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), text)
  console.log(path)
}
