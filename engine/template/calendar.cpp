#include "engine/template/calendar.h"

#include <algorithm>
#include <cstdlib>

namespace steelyard::jinja {

namespace {

constexpr const char* kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
constexpr int64_t kDaySeconds = 86400;

struct Moment {
    int64_t year = 1970;
    int month = 1, day = 1, hour = 0, minute = 0, second = 0;
    int weekday = 4; // 0 = Sunday
    int yearDay = 0; // 0 = 1 January
};

bool isLeap(int64_t year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int daysBefore(int64_t year, int month) {
    constexpr int kBefore[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return kBefore[month - 1] + (month > 2 && isLeap(year) ? 1 : 0);
}

// The proleptic Gregorian calendar, by eras of 400 years that begin in March.
Moment momentOf(int64_t seconds) {
    seconds = std::clamp<int64_t>(seconds, -62135596800, 253402300799); // the years 1 to 9999
    int64_t days = seconds / kDaySeconds, rest = seconds % kDaySeconds;
    if (rest < 0) {
        rest += kDaySeconds;
        --days;
    }
    Moment moment;
    moment.hour = static_cast<int>(rest / 3600);
    moment.minute = static_cast<int>(rest / 60 % 60);
    moment.second = static_cast<int>(rest % 60);
    moment.weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
    const int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097,
                  eraDay = shifted - era * 146097;
    const int64_t eraYear = (eraDay - eraDay / 1460 + eraDay / 36524 - eraDay / 146096) / 365;
    const int64_t yearDay = eraDay - (365 * eraYear + eraYear / 4 - eraYear / 100),
                  shiftedMonth = (5 * yearDay + 2) / 153;
    moment.day = static_cast<int>(yearDay - (153 * shiftedMonth + 2) / 5) + 1;
    moment.month = static_cast<int>(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9);
    moment.year = eraYear + era * 400 + (moment.month <= 2 ? 1 : 0);
    moment.yearDay = daysBefore(moment.year, moment.month) + moment.day - 1;
    return moment;
}

std::string padded(int64_t value, size_t width, char fill = '0') {
    std::string text = std::to_string(value);
    return text.size() < width ? std::string(width - text.size(), fill) + text : text;
}

// Week and year of ISO 8601: the week belongs to the year of its Thursday.
std::pair<int64_t, int> isoWeek(const Moment& m) {
    const int weekday = m.weekday == 0 ? 7 : m.weekday;
    const int week = (m.yearDay + 1 - weekday + 10) / 7;
    const auto weeksOf = [](int64_t year) {
        const auto p = [](int64_t y) { return (y + y / 4 - y / 100 + y / 400) % 7; };
        return p(year) == 4 || p(year - 1) == 3 ? 53 : 52;
    };
    if (week < 1) return {m.year - 1, weeksOf(m.year - 1)};
    if (week > weeksOf(m.year)) return {m.year + 1, 1};
    return {m.year, week};
}

std::string field(char code, const Moment& m, int64_t seconds) {
    const int hour12 = m.hour % 12 == 0 ? 12 : m.hour % 12;
    switch (code) {
    case 'a':
        return std::string(kDays[m.weekday]).substr(0, 3);
    case 'A':
        return kDays[m.weekday];
    case 'b':
    case 'h':
        return std::string(kMonths[m.month - 1]).substr(0, 3);
    case 'B':
        return kMonths[m.month - 1];
    case 'c':
        return formatTime("%a %b %e %H:%M:%S %Y", seconds);
    case 'C':
        return padded(m.year / 100, 2);
    case 'd':
        return padded(m.day, 2);
    case 'D':
    case 'x':
        return formatTime("%m/%d/%y", seconds);
    case 'e':
        return padded(m.day, 2, ' ');
    case 'f':
        return "000000";
    case 'F':
        return formatTime("%Y-%m-%d", seconds);
    case 'G':
        return std::to_string(isoWeek(m).first);
    case 'H':
        return padded(m.hour, 2);
    case 'I':
        return padded(hour12, 2);
    case 'j':
        return padded(m.yearDay + 1, 3);
    case 'k':
        return padded(m.hour, 2, ' ');
    case 'l':
        return padded(hour12, 2, ' ');
    case 'm':
        return padded(m.month, 2);
    case 'M':
        return padded(m.minute, 2);
    case 'n':
        return "\n";
    case 'p':
        return m.hour < 12 ? "AM" : "PM";
    case 'r':
        return formatTime("%I:%M:%S %p", seconds);
    case 'R':
        return formatTime("%H:%M", seconds);
    case 's':
        return std::to_string(seconds);
    case 'S':
        return padded(m.second, 2);
    case 't':
        return "\t";
    case 'T':
    case 'X':
        return formatTime("%H:%M:%S", seconds);
    case 'u':
        return std::to_string(m.weekday == 0 ? 7 : m.weekday);
    case 'U':
        return padded((m.yearDay + 7 - m.weekday) / 7, 2);
    case 'V':
        return padded(isoWeek(m).second, 2);
    case 'w':
        return std::to_string(m.weekday);
    case 'W':
        return padded((m.yearDay + 7 - (m.weekday + 6) % 7) / 7, 2);
    case 'y':
        return padded(m.year % 100, 2);
    case 'Y':
        return std::to_string(m.year);
    case 'z':
    case 'Z':
        return {};
    case '%':
        return "%";
    default:
        return {'%', code};
    }
}

} // namespace

std::string formatTime(std::string_view format, int64_t seconds) {
    const Moment moment = momentOf(seconds);
    std::string text;
    for (size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 >= format.size()) {
            text += format[i];
            continue;
        }
        const bool unpadded = format[i + 1] == '-' && i + 2 < format.size();
        i += unpadded ? 2 : 1;
        std::string value = field(format[i], moment, seconds);
        if (unpadded) value.erase(0, std::min(value.find_first_not_of("0 "), value.size() - (value.empty() ? 0 : 1)));
        text += value;
    }
    return text;
}

} // namespace steelyard::jinja
