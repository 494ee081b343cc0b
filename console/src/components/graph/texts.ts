/** Texts of the graph component. */
export const texts = {
  theGraphCouldNot: (fault: string) => `The graph could not be drawn: ${fault}. The table shows all of it.`,
  drawingTheGraph: 'Drawing the graph…',
  dependsOn: 'Depends on',
  usedBy: '; used by',
  graphHint:
    'Dependencies are on the left. Select a resource to highlight its connections; move along them with the arrow keys.',
  nothing: 'nothing',
  andMore: (more: number) => ` and ${more} more`,
  theTableBelowShows: (label: string) => `${label}. The table below shows all of it.`,
  showAsTable: 'Show as table',
  name: 'Name',
  change: 'Change',
};
