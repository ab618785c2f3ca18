// SPDX-License-Identifier: Apache-2.0

// Reads pairs of schemas, one a line, and prints what each comparer says of
// them: whether every instance of the old schema is still one of the new. Each
// runs in a thread of its own, which is ended when it takes too long.
import { createInterface } from 'node:readline';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import jsonSchemaDiff from 'json-schema-diff';
import diffValidator from 'json-schema-diff-validator';

const comparers = {
  'json-schema-diff': async (oldSchema, newSchema) => {
    const result = await jsonSchemaDiff.diffSchemas({ sourceSchema: oldSchema, destinationSchema: newSchema });
    return !result.removalsFound;
  },
  // It throws an assertion where it finds a breaking change, and other errors
  // where it cannot read a schema.
  'json-schema-diff-validator': async (oldSchema, newSchema) => {
    try {
      diffValidator.validateSchemaCompatibility(oldSchema, newSchema);
      return true;
    } catch (error) {
      if (error?.code === 'ERR_ASSERTION') return false;
      throw error;
    }
  },
};

const limit = 5000; // milliseconds for one pair

const judge = async ({ tool, pair }) => {
  const begin = process.hrtime.bigint();
  let out;
  try {
    out = { compatible: await comparers[tool](pair.old, pair.new) };
  } catch (error) {
    out = { error: String(error?.message ?? error).slice(0, 200) };
  }
  return { ...out, nanoseconds: Number(process.hrtime.bigint() - begin) };
};

const start = () => new Worker(new URL(import.meta.url));

const ask = (worker, message) =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limit);
    worker.once('message', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    worker.postMessage(message);
  });

if (isMainThread) {
  let worker = start();
  for await (const line of createInterface({ input: process.stdin })) {
    const pair = JSON.parse(line);
    for (const tool of Object.keys(comparers)) {
      let answer = await ask(worker, { tool, pair });
      if (answer === undefined) {
        await worker.terminate();
        worker = start();
        answer = { error: `no answer within ${limit} ms`, nanoseconds: limit * 1e6 };
      }
      process.stdout.write(JSON.stringify({ tool, id: pair.id, ...answer }) + '\n');
    }
  }
  await worker.terminate();
} else {
  parentPort.on('message', async (message) => parentPort.postMessage(await judge(message)));
}
