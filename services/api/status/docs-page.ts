/** The API reference: Swagger UI with a search box, and colors that follow the system. */

/** URLs are relative, so the page also works under a prefix. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Compliance Audit Service API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/theme.css">
</head>
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Typed keys stay in the page's memory; validatorUrl would send the document to another server. Swagger UI's own filter
 * matches only groups and paths; this one also searches summaries, methods and operation ids.
 */
export const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const textOf = (tag, operation) =>
  [tag, operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'operationId'])]
    .join(' ')
    .toLowerCase();

const search = ({ React }) => ({
  fn: {
    opsFilter: (groups, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/);
      return groups
        .map((group, tag) =>
          group.update('operations', (all) => all.filter((one) => words.every((word) => textOf(tag, one).includes(word)))),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutActions }) =>
      React.createElement(
        'div',
        { className: 'wrapper search' },
        React.createElement('input', {
          type: 'search',
          placeholder: 'Search operations',
          'aria-label': 'Search operations',
          onChange: (event) => layoutActions.updateFilter(event.target.value.trim()),
        }),
      ),
  },
});

SwaggerUIBundle({
  url: new URL('openapi.json', document.location.href).href,
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  plugins: [search],
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

export const THEME = `:root {
  color-scheme: light dark;
}
body {
  margin: 0;
}
html:not(.dark-mode) body {
  background: #fafbfc;
}
.swagger-ui,
.swagger-ui .info .title,
.swagger-ui .opblock-tag,
.swagger-ui .opblock .opblock-summary-description,
.swagger-ui .info table,
.swagger-ui .info li,
.swagger-ui .info p {
  font-family: system-ui, sans-serif;
}
.swagger-ui .info {
  margin: 24px 0 12px;
}
.swagger-ui .info table {
  margin: 12px 0 0;
}
.swagger-ui .info table td {
  padding: 3px 16px 3px 0;
  vertical-align: top;
}
.swagger-ui .info table td:first-of-type {
  font-weight: 600;
  min-width: 8em;
  padding-left: 0;
}
.swagger-ui .info table thead {
  display: none;
}
.swagger-ui .scheme-container {
  box-shadow: none;
  background: none;
  margin: 0;
  padding: 8px 0;
}
.swagger-ui .info .markdown td {
  padding-right: 16px;
  vertical-align: top;
}
.swagger-ui .search input {
  box-sizing: border-box;
  width: 100%;
  margin: 0 0 12px;
  padding: 10px 12px;
  border: 1px solid #8a929c;
  border-radius: 6px;
  font: inherit;
}
html.dark-mode .swagger-ui .search input {
  background: #14171a;
  color: #e6e9ec;
}
.swagger-ui .opblock-tag {
  font-size: 20px;
}
.swagger-ui .opblock {
  box-shadow: none;
  border-radius: 6px;
}
`;
