import type { Body, Method } from '../../domain/index.js'
import type { FieldError } from '../service-error.js'
import { checkTemplate, sampleOf } from './check-template.js'

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function checkBody(body: Body | null, method: Method): readonly FieldError[] {
  if (body === null) return []
  if (method === 'HEAD') {
    return [{ field: 'body', code: 'field_not_applicable', message: 'HEAD requests have no body' }]
  }
  const { contentType } = body
  const inType =
    contentType === null ? [] : checkTemplate('body.contentType', contentType, 'header')
  return [...inType, ...checkContent(body)]
}

function checkContent({ kind, content }: Body): readonly FieldError[] {
  if (kind === 'binary') {
    return base64.test(content) ? [] : [flaw('base64_invalid', 'must be base 64 with its padding')]
  }
  const inTemplate = checkTemplate('body.content', content, kind)
  if (inTemplate.length > 0 || kind === 'text') return inTemplate
  try {
    JSON.parse(sampleOf(content, 'json'))
    return []
  } catch {
    return [flaw('json_invalid', 'must be JSON once its placeholders are filled in')]
  }
}

const flaw = (code: string, what: string): FieldError => ({
  field: 'body.content',
  code,
  message: `body.content ${what}`,
})
