// Posters are made when the site is packed. Where a test wants a console without a word about missing ones, it answers with this.

/** An `intercept` for serve(). */
export function answerPosters(path, response) {
  if (!path.startsWith('/posters/')) return false;
  response.writeHead(200, { 'Content-Type': 'image/svg+xml' });
  response.end('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="10"/>');
  return true;
}
