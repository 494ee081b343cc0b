import { describe, expect, it } from 'vitest';
import { Frames, MessageReader } from './frames.ts';

function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(content));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

describe('frames', () => {
  const messages = [
    ['A', ''],
    ['B', 'text'],
    ['C', 'ä'.repeat(100)],
    ['D', 'z'],
  ] as const;
  const bytes = Buffer.concat(messages.map(([type, content]) => message(type, content)));

  it.each([1, 2, 3, 5, 7, 100, bytes.length])('are the same in pieces of %i bytes', (size) => {
    const seen: [string, string][] = [];
    const reader = new MessageReader();
    const frames = new Frames((type, buffer, start, end) => {
      seen.push([String.fromCharCode(type), reader.readMessage(buffer, start).text(end - start)]);
    });
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size));
    expect(seen).toEqual(messages);
  });
});
