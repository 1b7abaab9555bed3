import { ascentRows, descentRows, type Glyph, glyph } from './bitmap-font.js'
import type { Colour, Raster } from './raster.js'

export interface TextStyle {
  /** Pixels for each dot of the font. */
  readonly dot: number
  readonly colour: Colour
  readonly bold?: boolean
  readonly anchor?: 'start' | 'middle' | 'end'
}

const rows = ascentRows + descentRows
const gap = 1

/** In dots, without the gap behind the last character. */
function dotsWide(text: string): number {
  let dots = 0
  for (const character of text) dots += glyph(character).width + gap
  return Math.max(0, dots - gap)
}

export function textWidth(text: string, { dot }: TextStyle): number {
  return dotsWide(text) * dot
}

/** One line of text whose letters stand on `baseline`. */
export function drawText(
  raster: Raster,
  x: number,
  baseline: number,
  text: string,
  style: TextStyle,
): void {
  const { dot, anchor = 'start' } = style
  const width = textWidth(text, style)
  const shift = anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0
  let left = Math.round(x - shift)
  const top = Math.round(baseline) - ascentRows * dot
  for (const character of text) {
    const drawn = glyph(character)
    drawGlyph(raster, left, top, drawn, style)
    left += (drawn.width + gap) * dot
  }
}

/**
 * The dots of the font are far apart at this size. Between their centres ink fades evenly, and
 * where it is half gone is the edge: that rounds corners and joins diagonals.
 */
function drawGlyph(
  raster: Raster,
  left: number,
  top: number,
  drawn: Glyph,
  { dot, colour, bold = false }: TextStyle,
): void {
  const edge = bold ? 0.3 : 0.46
  const softness = 0.75 / dot
  const margin = Math.ceil(dot / 2)
  for (let y = -margin; y < rows * dot + margin; y++) {
    for (let x = -margin; x < drawn.width * dot + margin; x++) {
      const ink = inkAt(drawn, (x + 0.5) / dot - 0.5, (y + 0.5) / dot - 0.5)
      raster.blend(left + x, top + y, colour, (ink - edge) / softness + 0.5)
    }
  }
}

/** Ink at a place that is measured in dots, from the centres of the four around it. */
function inkAt(drawn: Glyph, x: number, y: number): number {
  const column = Math.floor(x)
  const row = Math.floor(y)
  const right = x - column
  const below = y - row
  const upper = dotAt(drawn, column, row) * (1 - right) + dotAt(drawn, column + 1, row) * right
  const lower =
    dotAt(drawn, column, row + 1) * (1 - right) + dotAt(drawn, column + 1, row + 1) * right
  return upper * (1 - below) + lower * below
}

function dotAt({ width, ink }: Glyph, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= width || row >= rows) return 0
  return ink[row * width + column]!
}
