window.swup = new window.Swup({ animationSelector: false });
