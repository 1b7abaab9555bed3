/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number]

/** A picture of pixels. A shape may end within one: it is coloured as far as it is covered. */
export class Raster {
  readonly width: number
  readonly height: number
  /** Three bytes for each pixel, row by row. */
  readonly pixels: Uint8Array

  constructor(width: number, height: number, paper: Colour) {
    this.width = width
    this.height = height
    this.pixels = new Uint8Array(width * height * 3)
    for (let at = 0; at < this.pixels.length; at += 3) this.pixels.set(paper, at)
  }

  /** Mixes a colour in, from 0 (nothing) to 1 (all of it). Outside of the picture nothing is. */
  blend(x: number, y: number, colour: Colour, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || share <= 0) return
    const at = (y * this.width + x) * 3
    const part = Math.min(1, share)
    for (let channel = 0; channel < 3; channel++) {
      const before = this.pixels[at + channel]!
      this.pixels[at + channel] = Math.round(before + (colour[channel]! - before) * part)
    }
  }

  fill(left: number, top: number, width: number, height: number, colour: Colour): void {
    const right = Math.min(left + width, this.width)
    const bottom = Math.min(top + height, this.height)
    for (let y = Math.max(0, Math.floor(top)); y < bottom; y++) {
      const high = Math.min(bottom, y + 1) - Math.max(top, y)
      for (let x = Math.max(0, Math.floor(left)); x < right; x++) {
        const wide = Math.min(right, x + 1) - Math.max(left, x)
        this.blend(x, y, colour, wide * high)
      }
    }
  }
}
