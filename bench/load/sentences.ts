/** Prose, code, data and questions. */
export const SENTENCES = [
  'The quarterly report lists shipments, returns and open questions of the northern region.',
  'Please have a look at the attached draft and tell me by Thursday whether the numbers hold.',
  'When the cache is cold, the first request takes about 300 ms; after that it is below 20.',
  'Ann asked whether we could move the meeting to 10:30, because the train from Leeds is late.',
  'const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
  'SELECT name, count(*) FROM orders WHERE created_at > now() - interval 7 day GROUP BY name;',
  'You are a helpful assistant for the customers of a garden shop. Answer politely and briefly.',
  '{"id": 4711, "status": "shipped", "weight": 2.5, "tags": ["fragile", "gift"], "note": null}',
  'How do I bake bread without yeast, and which flour is best for it?',
  'Version 2.14.3 fixes a crash on start when the settings folder cannot be read.',
  'She wrote three novels, the last of which was made into a film in 1987.',
  'If the light stays red for more than ten seconds, unplug the device and wait a minute.',
  'Write to support@example.com or call 415-555-0123 when the parcel 00340434 does not arrive.',
  'def area(radius):\n    return 3.14159 * radius ** 2\n',
  'Die Lieferung kommt am Dienstag; bitte stellen Sie die alten Kisten vor die T\u00fcr.',
  'First preheat the oven to 200 degrees. Then mix the dry ingredients and add the milk slowly.',
];
