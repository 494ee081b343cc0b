/**
 * Content security policy of the console: a page may load its own files from this server and send requests to it, and
 * nothing else. Pages contain no inline styles or scripts, and no text becomes markup (trusted types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The console's only trusted-types policy, for the URL of its worker (console/src/api/worker.ts).
  'trusted-types lockkeeper-workers',
].join('; ');

/** Browser features that pages may not use; the console only copies text to the clipboard, and uses passkeys. */
const FEATURES = [
  ...['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation'],
  ...['gyroscope', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['screen-wake-lock', 'usb', 'xr-spatial-tracking'],
];

/** Headers of every response below `/app`. */
export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    ...FEATURES.map((name) => `${name}=()`),
    ...['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'].map((name) => `${name}=(self)`),
  ].join(', '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};
