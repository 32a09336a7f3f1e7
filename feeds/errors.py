"""
What may be wrong with a request about feeds.

NotFound           UnknownFeed
Conflict           FeedPaused, FeedNotLicensed, NotJudged
TooManyRequests    TooManyFeeds
"""

from common.errors import Conflict, NotFound, TooManyRequests


class UnknownFeed(NotFound):
    """There is no such feed."""

    code = "unknown_feed"


class FeedPaused(Conflict):
    """The feed is paused. Resume it first."""

    code = "feed_paused"


class FeedNotLicensed(Conflict):
    """No valid license key of this tenant may have feeds."""

    code = "feed_not_licensed"


class NotJudged(Conflict):
    """Its feed has not looked at this file yet. Try again in a moment."""

    code = "not_judged"


class TooManyFeeds(TooManyRequests):
    """This tenant has the most feeds that are allowed. Delete some."""

    code = "too_many_feeds"
