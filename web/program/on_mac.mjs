// Whether this is a computer or phone of Apple's, whose Cmd key is what Ctrl is elsewhere. A function, because servers
// import these modules too, where there is no navigator to ask.

export const onMac = () => /^(Mac|iPhone|iPad)/.test(navigator.platform);
