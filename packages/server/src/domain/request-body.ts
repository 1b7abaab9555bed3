/** A body as the user gave it; `binary` is base 64. */
export interface Body {
  readonly kind: 'json' | 'text' | 'binary'
  readonly content: string
  readonly contentType: string | null
}
