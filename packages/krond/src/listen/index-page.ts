/** What there is to see, for whoever opens the address in a browser. */
export const indexPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>krond</title></head>
<body>
<h1>krond</h1>
<ul>
<li><a href="/jobs">/jobs</a>: all jobs; <code>?limit=</code>, <code>?after=</code>,
<code>?name=</code></li>
<li><code>/jobs/&lt;name or encoded identity&gt;</code>: one job with its history</li>
<li><code>/jobs/&lt;name or encoded identity&gt;/explain?at=</code>: how its time is chosen</li>
<li><a href="/metrics">/metrics</a>: numbers for Prometheus</li>
<li><a href="/healthz">/healthz</a>: whether the loop turns</li>
<li><a href="/readyz">/readyz</a>: whether jobs are being handled</li>
</ul>
</body>
</html>
`
