/** Light unless whoever looks at it prefers dark. */
export const svgStyle = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}',
  '.heading{font-size:18px;font-weight:600}',
  '.quiet{fill:#59636e;font-size:12px}',
  '.middle{text-anchor:middle}',
  '.end{text-anchor:end}',
  '.page{fill:#ffffff}',
  '.grid{stroke:#d1d9e0;stroke-dasharray:2 3;fill:none}',
  '.base{stroke:#59636e;fill:none}',
  '.before{fill:#c4500a}',
  '.after{fill:#0b62c1}',
  '@media (prefers-color-scheme:dark){',
  'text{fill:#e6edf3}.quiet{fill:#9198a1}.page{fill:#0d1117}',
  '.grid{stroke:#3d444d}.base{stroke:#9198a1}',
  '.before{fill:#f0883e}.after{fill:#58a6ff}}',
].join('')

export function escapeXml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
