import { expect, test } from 'vitest';
import { loadAgentConfig } from './agent-config.ts';

const load = (text: string, flags: Record<string, string> = {}) => {
  const file = { text: `address: https://lockkeeper.example.com\n${text}`, folder: '/etc/agent' };
  return loadAgentConfig({ file, environment: {}, flags }, false);
};

test('the cache of providers has a size, in the file or as a flag', () => {
  expect(load('provider_cache: cache')).toMatchObject({ providerCache: '/etc/agent/cache', providerCacheSize: 10_240 });
  expect(load('provider_cache_size: 2048').providerCacheSize).toBe(2048);
  expect(load('provider_cache_size: 2048', { provider_cache_size: '4096' }).providerCacheSize).toBe(4096);
});

test.each(['0', '1023', 'large', '1.5'])('a size of %s is refused', (size) => {
  expect(() => load(`provider_cache_size: ${size}`)).toThrow(
    `provider_cache_size: found ${size === 'large' ? '"large"' : size}; allowed: 1024 to 1048576 MiB`,
  );
});
