// SPDX-License-Identifier: Apache-2.0

// Contracts and sets that nobody wrote, as many as are asked for: the same ones in
// every run. Among them are some that are not valid, some with a version that is
// refused, some that a provider cannot take, and texts in several scripts.

const verbs = ['get', 'list', 'create', 'update', 'cancel', 'search', 'submit', 'reserve'];
const nouns = ['order', 'refund', 'invoice', 'shipment', 'customer', 'product', 'ticket', 'payment', 'address', 'coupon', 'warehouse', 'return'];
const texts = [
  'Returns what is known of it. Use it when the user names one. Do not use it for a list.',
  '返回已知的信息。当用户指定一个时使用。不要用于列表。',
  'يعيد ما هو معروف عنه. استخدمه عندما يسمي المستخدم واحدًا.',
  'Gibt zurück, was darüber bekannt ist, einschließlich der Donaudampfschifffahrtsgesellschaftskapitänsmütze.',
];
const profiles = ['openai-responses', 'openai-chat-completions', 'anthropic-messages', 'gemini-json-schema', 'mcp-2025-11-25', 'bedrock-converse-nova', 'groq-chat', 'mistral-chat', 'vllm-xgrammar'];

function schema(i) {
  const properties = {};
  const count = 1 + (i % 9);
  for (let k = 0; k < count; k++) {
    const name = `${nouns[(i + k) % nouns.length]}_${['id', 'note', 'count', 'tags', 'place'][k % 5]}`;
    properties[name] = [
      { type: 'string', minLength: 1, maxLength: 64, description: texts[(i + k) % texts.length] },
      { type: 'string', maxLength: 200, description: 'What else there is to say' },
      { type: 'integer', minimum: 0, maximum: 1000, description: 'How many' },
      { type: 'array', items: { type: 'string', enum: ['red', 'green', 'blue'] }, maxItems: 5, description: 'Any of these' },
      { type: 'object', properties: { city: { type: 'string', maxLength: 80 }, zip: { type: 'string', pattern: '^[0-9]{5}$' } }, required: ['city'], additionalProperties: false },
    ][k % 5];
  }
  const required = Object.keys(properties).filter((_, k) => k % 3 !== 2);
  const out = { type: 'object', properties, required, additionalProperties: false };
  if (i % 11 === 5) out.properties.anything = { type: 'object', additionalProperties: { type: 'string' } }; // strict modes have no maps
  return out;
}

function contract(i, version) {
  const verb = verbs[i % verbs.length], noun = nouns[Math.floor(i / verbs.length) % nouns.length];
  const reads = ['get', 'list', 'search'].includes(verb);
  return {
    apiVersion: 'toolcontract.dev/v1alpha1',
    kind: 'ToolContract',
    metadata: { name: `${verb}-${noun}-${i}`, namespace: `team-${i % 12}`, labels: { area: noun } },
    spec: {
      version,
      toolName: `${verb}_${noun}_${i}`,
      title: `${verb} ${noun}`,
      description: { summary: texts[i % texts.length], useWhen: 'Use it when the user asks for one.', doNotUseWhen: 'Do not use it to change several at once.' },
      input: { schema: schema(i), ...(i % 3 === 0 ? { sessionParameters: [{ name: 'tenant_id', source: 'session.tenant', schema: { type: 'string', maxLength: 64 } }] } : {}) },
      output: { schema: { type: 'object', properties: { [`${noun}_id`]: { type: 'string' } }, required: [`${noun}_id`] }, errors: [{ code: 'NOT_FOUND', category: 'NotFound', recovery: 'AskUser', safeMessage: 'There is no such thing.' }] },
      execution: { location: 'Application', sideEffect: reads ? 'None' : 'Reversible', reach: 'Closed', risk: 'Low', timeoutSeconds: 10, approval: 'None', dataClassification: 'Internal' },
      targets: profiles.filter((_, k) => (i + k) % 3 !== 0).map((profile, k) => ({ profile, strict: k % 3 === 1 && i % 11 === 5 ? 'Required' : 'Preferred', onIncompatible: k % 2 ? 'Exclude' : 'Block' })),
    },
  };
}

// contracts returns objects for one list of Kubernetes.
export function contracts(count) {
  const items = [];
  for (let i = 0; i < count; i++) {
    const one = contract(i, '1.0.0');
    items.push(one);
    if (i % 7 === 3) { // a harmless new version
      const next = contract(i, '1.1.0');
      next.spec.description.failures = 'It fails if there is no such thing.';
      items.push(next);
    }
    if (i % 29 === 8) { // one that breaks callers, and does not say so
      const next = contract(i, '1.2.0');
      next.spec.input.schema.required = Object.keys(next.spec.input.schema.properties);
      next.spec.input.schema.properties.reason = { type: 'string' };
      next.spec.input.schema.required.push('reason');
      items.push(next);
    }
    if (i % 97 === 50) one.spec.version = 'one'; // not valid
    if (i % 83 === 11) one.metadata.name = `${one.metadata.name}-${'x'.repeat(30)}`.slice(0, 63);
  }
  for (let team = 0; team < 12; team++) {
    items.push({
      apiVersion: 'toolcontract.dev/v1alpha1', kind: 'ToolSet', metadata: { name: 'assistant', namespace: `team-${team}` },
      spec: { selectors: [{ labels: { matchLabels: { area: nouns[team] } }, channel: '1' }], profiles: [{ profile: 'openai-responses', tokenBudget: 4000 }, { profile: 'anthropic-messages' }], onIncompatible: 'Exclude' },
    });
  }
  return items;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  process.stdout.write(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: contracts(Number(process.argv[2] ?? 1000)) }));
}
