/**
 * Plays a note.
 * @param tide how high
 */
function play(tide) {
  return 1;
}
