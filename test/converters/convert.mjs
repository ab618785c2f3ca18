// SPDX-License-Identifier: Apache-2.0
//
// Reads tools as JSON Lines {"id", "schema"} from standard input, runs every
// converter over them, and writes one line per converter and tool:
// {"converter", "id", "schema" | "error", "nanoseconds"}.
//
// Every converter gets a copy of its own, outside the measured time. Each tool
// is converted several times and the fastest counts, so that what is measured
// is warm code, as in a server that runs for days.
import { createInterface } from 'node:readline';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { AnthropicSchemaCompatLayer, GoogleSchemaCompatLayer, OpenAISchemaCompatLayer, applyCompatLayer } from '@mastra/schema-compat';
import { LlmSchemaComposer } from '@samchon/openapi/lib/composers/LlmSchemaComposer.mjs';
import { OpenApiV3_1Emender } from '@samchon/openapi/lib/converters/OpenApiV3_1Emender.mjs';

const mastra = (Layer, provider, modelId) => {
  const layer = new Layer({ provider, modelId, supportsStructuredOutputs: true });
  return (schema) => applyCompatLayer({ schema, compatLayers: [layer], mode: 'jsonSchema' });
};

// The schema as @samchon/openapi reads it: part of an OpenAPI document, whose
// definitions stand elsewhere.
const repoint = (value) => {
  if (Array.isArray(value)) return value.map(repoint);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? member.replace(/^#\/(\$defs|definitions)\//, '#/components/schemas/') : repoint(member),
    ]),
  );
};

const samchon = (schema) => {
  const { $defs, definitions, ...root } = repoint(schema);
  const document = OpenApiV3_1Emender.convert({ openapi: '3.1.0', components: { schemas: { ...definitions, ...$defs, Root__: root } } });
  const { Root__, ...schemas } = document.components.schemas;
  const result = LlmSchemaComposer.parameters({ config: { strict: true }, components: { schemas }, schema: Root__ });
  if (!result.success) throw new Error(result.error.reasons?.map((r) => r.message).join('; ') || result.error.message);
  return result.value;
};

const converters = {
  'openai toStrictJsonSchema': toStrictJsonSchema,
  '@anthropic-ai/sdk transformJSONSchema': transformJSONSchema,
  '@mastra/schema-compat OpenAI': mastra(OpenAISchemaCompatLayer, 'openai.responses', 'gpt-5'),
  '@mastra/schema-compat Anthropic': mastra(AnthropicSchemaCompatLayer, 'anthropic.messages', 'claude-sonnet-4-5'),
  '@mastra/schema-compat Google': mastra(GoogleSchemaCompatLayer, 'google.generative-ai', 'gemini-2.5-flash'),
  '@samchon/openapi strict': samchon,
};

const rounds = 5;
for await (const line of createInterface({ input: process.stdin })) {
  const tool = JSON.parse(line);
  for (const [converter, convert] of Object.entries(converters)) {
    let best = Infinity;
    let out;
    for (let round = 0; round < rounds; round++) {
      const copy = structuredClone(tool.schema);
      const begin = process.hrtime.bigint();
      try {
        out = { schema: convert(copy) };
      } catch (error) {
        out = { error: String(error?.message ?? error) };
      }
      best = Math.min(best, Number(process.hrtime.bigint() - begin));
    }
    process.stdout.write(JSON.stringify({ converter, id: tool.id, ...out, nanoseconds: best }) + '\n');
  }
}
