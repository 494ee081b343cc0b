/** Escapes Slack's three markup characters, so that text cannot mention users or add links. */
export function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Adaptive card for workflow webhooks: https://adaptivecards.io/explorer/. Its text runs have no markup, so nothing is
 * escaped.
 */
export function teamsCard(body: readonly object[], action?: { readonly title: string; readonly url: string }): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    ...(action && { actions: [{ type: 'Action.OpenUrl', ...action }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] };
}

/** One line of a card. */
export function teamsLine(text: string, style: object = {}): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}
