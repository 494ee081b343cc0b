/** The three characters that are markup there; nothing mentions anybody or links anywhere without them. */
export function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * An adaptive card, as webhooks of workflows take it: https://adaptivecards.io/explorer/. Its runs of text know no markup,
 * so that nothing in them has to be escaped.
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
